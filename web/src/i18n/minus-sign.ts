/** A true minus sign, as wide as the plus, instead of the hyphen of the locales. */
export function withMinus(text: string): string {
  return text.replace('-', '−');
}
