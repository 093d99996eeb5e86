/** Replaces the hyphen with a true minus sign, which is as wide as the plus sign. */
export function withMinusSign(text: string): string {
  return text.replace('-', '−');
}
