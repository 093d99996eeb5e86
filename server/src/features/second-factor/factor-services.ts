import type { AccountEvents } from '../../access/account-events.ts';
import type { Sealing } from '../../access/sealing.ts';
import type { Admin, AdminSessions, Device } from '../../access/sessions.ts';
import type { Database } from '../../database/connect.ts';

export interface FactorServices {
  readonly db: Database;
  readonly sealing: Sealing;
  readonly sessions: AdminSessions;
  readonly events: AccountEvents;
}

/** The server's address as the browser sees it. A passkey works only for the host that it was made for. */
export interface ServerSite {
  readonly host: string;
  readonly origin: string;
}

export interface OwnFactorCall extends Device {
  readonly admin: Admin;
  readonly session: string;
  readonly site: ServerSite;
  readonly at: Date;
}
