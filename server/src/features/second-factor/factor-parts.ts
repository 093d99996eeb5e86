import type { AccountEvents } from '../../access/account-events.ts';
import type { Sealing } from '../../access/sealing.ts';
import type { Admin, AdminSessions, Device } from '../../access/sessions.ts';
import type { Database } from '../../database/connect.ts';

/** What the rules about factors work with. */
export interface FactorParts {
  readonly db: Database;
  readonly sealing: Sealing;
  readonly sessions: AdminSessions;
  readonly events: AccountEvents;
}

/** Where a browser sees us: a passkey is made for a host and answers there alone. */
export interface Site {
  readonly host: string;
  readonly origin: string;
}

/** A call of someone who is signed in. */
export interface OwnCall extends Device {
  readonly admin: Admin;
  readonly session: string;
  readonly site: Site;
  readonly at: Date;
}
