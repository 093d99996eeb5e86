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

export type ClassroomTool = (typeof classroomTools)[number];
