export const classroomTools = ['timer', 'pick', 'attendance', 'notes', 'teams'] as const;

export type ClassroomTool = (typeof classroomTools)[number];
