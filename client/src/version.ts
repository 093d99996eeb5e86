/** Of this package; the build puts that of package.json here. */
export const version: string = 'development';
