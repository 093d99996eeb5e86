// An import statement would read every name of the module, and one of them loads undici: some 10 MB that nobody needs.
export const { createServer, IncomingMessage, STATUS_CODES } = process.getBuiltinModule('node:http');
