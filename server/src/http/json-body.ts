import { isUtf8 } from 'node:buffer';
import { limits } from '@classledger/contract';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';

/**
 * Makes an instance read JSON bodies and nothing else. An empty body counts as none, whatever its content type:
 * many clients send one with every DELETE.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit: limits.bodyBytesMax },
    (_request, bytes, done) => {
      if (bytes.length === 0) return done(null, undefined);
      if (!isUtf8(bytes)) return done(new AppError('malformed', 'The body is not UTF-8'));
      let body: unknown;
      try {
        body = JSON.parse(bytes.toString('utf8'));
      } catch {
        return done(new AppError('malformed', 'The body is not valid JSON'));
      }
      done(null, body);
    },
  );
}
