// An import statement would read each export of the module, and one of them loads undici, which takes 10 MB.
export const { createServer, IncomingMessage, STATUS_CODES } = process.getBuiltinModule('node:http');
