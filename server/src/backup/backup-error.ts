import { withoutControlCharacters } from '../telemetry/log-stream.ts';

/** A backup that cannot be made, read or restored. The message is one line for the operator. */
export class BackupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(withoutControlCharacters(message.replace(/\s*\n\s*/g, ' ')), options);
  }
}
