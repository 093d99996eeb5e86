/** What teachers have in front of a class beside points and seats. A school can switch each off. */
export const classroomTools = [
  'timer',
  'pick',
  'attendance',
  'notes',
  'teams',
  'touchBoard',
  'clicker',
  'sound',
] as const;

/** Names one of them. */
export type ClassroomTool = (typeof classroomTools)[number];
