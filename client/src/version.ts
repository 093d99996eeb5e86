/** The build replaces it with the version of package.json. */
export const version: string = 'development';
