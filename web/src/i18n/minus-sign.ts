/** Replaces the locale's hyphen with a true minus sign, which is as wide as the plus. */
export function withMinus(text: string): string {
  return text.replace('-', '−');
}
