import type { CredentialStatus } from '@classledger/contract';
import { Badge, Tooltip } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

const looks = {
  enabled: ['plus', 'aboutEnabled'],
  disabled: ['gray', 'aboutDisabled'],
  expired: ['minus', 'aboutExpired'],
  issuer_disabled: ['minus', 'aboutIssuer'],
  school_disabled: ['minus', 'aboutSchool'],
} as const satisfies Record<CredentialStatus, unknown>;

/** Whether a credential works; why not and what to do, on hover, focus or tap. */
export function StateBadge({ status }: { readonly status: CredentialStatus }) {
  const t = useTexts(texts);
  const [color, about] = looks[status];
  return (
    <Tooltip label={t(about)} multiline maw={280} events={{ hover: true, focus: true, touch: true }}>
      <Badge variant="light" color={color} tt="none" tabIndex={0}>
        {t(status)}
        <span className="visually-hidden">{` (${t(about)})`}</span>
      </Badge>
    </Tooltip>
  );
}
