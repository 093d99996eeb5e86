import type { Binaries } from './binaries.ts';
import type { Endpoint } from './endpoint.ts';
import type { ServerAccount } from './server-account.ts';

/** Everything that determines the server which a start is meant to end with, be it new or taken over. */
export interface WantedServer {
  readonly cluster: string;
  readonly logFile: string;
  readonly binaries: Binaries;
  readonly account: ServerAccount;
  /** Matters to TCP only. */
  readonly password: string;
  /** The start is given up when it aborts. */
  readonly stop: AbortSignal;
  /** Where a new server would listen. */
  newEndpoint(): Promise<Endpoint>;
  /** Where a running server listens that has this port. */
  endpointAt(port: number): Endpoint;
  /** The server's command line arguments. */
  args(endpoint: Endpoint): string[];
}
