/** In UTC. Most schools begin in August or September. */
const firstMonth = 7;

/**
 * The one academic session of a roster: the school year, from August on. Classes of a roster need one with a beginning and an end,
 * and the terms of Classledger have no end before they are closed.
 */
export function schoolYearOf(at: Date) {
  const end = at.getUTCFullYear() + (at.getUTCMonth() >= firstMonth ? 1 : 0);
  return {
    title: `${end - 1}/${end}`,
    startDate: `${end - 1}-08-01`,
    endDate: `${end}-08-01`,
    schoolYear: String(end),
  };
}

export const sessionId = (schoolId: number, at: Date) =>
  `classledger-year-${schoolId}-${schoolYearOf(at).schoolYear}`;
