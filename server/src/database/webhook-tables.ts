import type { ChangeAction, ChangeType, Delivery, Webhook, WebhookEvent } from '@classledger/contract';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { NullableTimestampColumn, TimestampColumn } from './account-tables.ts';

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
  old_secret_until: NullableTimestampColumn;
  cursor: string;
  cursor_at: TimestampColumn;
  next_number: Generated<number>;
  failures: Generated<number>;
  failing_since: NullableTimestampColumn;
  retry_at: NullableTimestampColumn;
  last_delivered_at: NullableTimestampColumn;
  missed_at: NullableTimestampColumn;
  stopped_because: Webhook['stoppedBecause'];
  owner: string | null;
  owned_until: NullableTimestampColumn;
  created_at: TimestampColumn;
  updated_at: TimestampColumn;
}

interface WebhookDeliveryTable {
  school_id: number;
  created_at: TimestampColumn;
  webhook_id: number;
  number: number;
  type: ChangeType;
  action: ChangeAction;
  thing_id: number;
  changed_at: TimestampColumn;
  line: string;
  tombstone: ColumnType<object | null, string | null, string | null>;
  state: Delivery['state'];
  attempts: Generated<number>;
  first_attempt_at: NullableTimestampColumn;
  last_attempt_at: NullableTimestampColumn;
  next_attempt_at: TimestampColumn;
  status_code: number | null;
  latency_ms: number | null;
  error: string | null;
}

export interface WebhookTables {
  webhook: WebhookTable;
  webhook_delivery: WebhookDeliveryTable;
}
