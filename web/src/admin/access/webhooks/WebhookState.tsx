import type { ManagedWebhook } from '@classledger/contract';
import { StatusBadge } from '../../../components/list/cells.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { defineWrite, type Write } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

/** Returns the most urgent state of a webhook. */
export function webhookStateOf({ active, stoppedBecause, failingSince }: ManagedWebhook) {
  if (stoppedBecause !== null) return 'stopped';
  if (!active) return 'paused';
  return failingSince === null ? 'active' : 'failing';
}

/** Returns the key of the text that explains the state. */
export function stateExplanation(webhook: ManagedWebhook) {
  const state = webhookStateOf(webhook);
  return `about_${state === 'stopped' ? (webhook.stoppedBecause ?? 'failed') : state}` as const;
}

const colours = { active: 'plus', paused: 'gray', failing: 'minus', stopped: 'red' } as const;

export function StateBadge({ webhook }: { readonly webhook: ManagedWebhook }) {
  const t = useTexts(texts);
  const state = webhookStateOf(webhook);
  return <StatusBadge color={colours[state]} label={t(state)} about={t(stateExplanation(webhook))} />;
}

/** Returns a function that makes a `Write`, which pauses or resumes a webhook. */
export function useSetActive(): (webhook: ManagedWebhook, active: boolean) => Write {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  return ({ id, host: name }, active) =>
    defineWrite('updateCredentialWebhook', { params: { id }, body: { schoolDb, active } }, () =>
      t(active ? 'resumedDone' : 'pausedDone', { name }),
    );
}
