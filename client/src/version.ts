/** The build replaces this value with the version of package.json. */
export const version: string = 'development';
