import { Badge } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import { outcomeOf } from './audit-search.ts';
import { texts } from './texts.ts';

const colours = { succeeded: 'gray', refused: 'minus', broke: 'red' } as const;

/** The status of a call with what it means; never by colour alone. */
export function StatusText({ status }: { readonly status: number }) {
  const t = useTexts(texts);
  const outcome = outcomeOf(status);
  return (
    <Badge variant="light" color={colours[outcome]} tt="none" miw="max-content">
      {t('statusOf', { status, outcome: t(outcome) })}
    </Badge>
  );
}
