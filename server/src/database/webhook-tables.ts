import type { ChangeAction, ChangeType, Delivery, Webhook, WebhookEvent } from '@classledger/contract';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Instant, NullableInstant } from './account-tables.ts';

interface WebhookTable {
  id: GeneratedAlways<number>;
  school_id: number;
  token_id: number;
  url: string;
  events: WebhookEvent[];
  description: string;
  active: boolean;
  secret: Buffer;
  old_secret: Buffer | null;
  old_secret_until: NullableInstant;
  cursor: string;
  cursor_at: Instant;
  next_number: Generated<number>;
  failures: Generated<number>;
  failing_since: NullableInstant;
  retry_at: NullableInstant;
  last_delivered_at: NullableInstant;
  missed_at: NullableInstant;
  stopped_because: Webhook['stoppedBecause'];
  owner: string | null;
  owned_until: NullableInstant;
  created_at: Instant;
  updated_at: Instant;
}

interface WebhookDeliveryTable {
  school_id: number;
  created_at: Instant;
  webhook_id: number;
  number: number;
  type: ChangeType;
  action: ChangeAction;
  thing_id: number;
  changed_at: Instant;
  line: string;
  tombstone: ColumnType<object | null, string | null, string | null>;
  state: Delivery['state'];
  attempts: Generated<number>;
  first_attempt_at: NullableInstant;
  last_attempt_at: NullableInstant;
  next_attempt_at: Instant;
  status_code: number | null;
  latency_ms: number | null;
  error: string | null;
}

export interface WebhookTables {
  webhook: WebhookTable;
  webhook_delivery: WebhookDeliveryTable;
}
