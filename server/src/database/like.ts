/** For LIKE and ILIKE: whatever holds this text; none of its characters is special. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
