import type { Application } from '@classledger/contract';
import { Badge } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

/** Those that wait stand out; yellow would be too pale to read. */
const looks = {
  pending: { variant: 'filled' },
  approved: { variant: 'light' },
  rejected: { variant: 'light', color: 'gray' },
} satisfies Record<Application['status'], object>;

/** How far an application has come. */
export function StatusBadge({ status }: { readonly status: Application['status'] }) {
  const t = useTexts(texts);
  return (
    <Badge {...looks[status]} tt="none">
      {t(status)}
    </Badge>
  );
}
