import type { ManagedWebhook } from '@classledger/contract';
import { Badge, Tooltip } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';
import { stateExplanation, webhookStateOf } from './webhook-state.ts';

const colours = { active: 'plus', paused: 'gray', failing: 'minus', stopped: 'red' } as const;

export function StateBadge({ webhook }: { readonly webhook: ManagedWebhook }) {
  const t = useTexts(texts);
  const state = webhookStateOf(webhook);
  const about = t(stateExplanation(webhook));
  return (
    <Tooltip label={about} multiline maw={280} events={{ hover: true, focus: true, touch: true }}>
      <Badge variant="light" color={colours[state]} tt="none" tabIndex={0}>
        {t(state)}
        <span className="visually-hidden">{` (${about})`}</span>
      </Badge>
    </Tooltip>
  );
}
