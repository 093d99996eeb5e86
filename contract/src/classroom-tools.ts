/** Tools for teaching a class besides points and seats. A school can switch each off. */
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
