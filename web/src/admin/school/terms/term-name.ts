/** Half of a school year, which begins in September. */
export interface SchoolYearHalf {
  readonly half: 'first' | 'second';
  readonly startYear: number;
}

/** Returns the half of the school year that ends around a day: the first one from September to February. */
export function schoolYearHalfOf(day: string): SchoolYearHalf {
  const [year = 0, month = 0] = day.split('-').map(Number);
  if (month >= 9) return { half: 'first', startYear: year };
  if (month <= 2) return { half: 'first', startYear: year - 1 };
  return { half: 'second', startYear: year - 1 };
}
