import type { Credential } from '@classledger/contract';
import { IconEye, IconLogs, IconPencil, IconWebhook } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { DeleteEntry, EnableEntry, MenuEntry, MenuLink, RowMenu } from '../../../components/list/RowMenu.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { texts as simulationTexts } from './simulation/texts.ts';
import { texts } from './texts.ts';

type ActionKind = 'edit' | 'simulate' | 'disable' | 'revoke';

export interface CredentialAction {
  readonly kind: ActionKind;
  readonly credential: Credential;
}

interface CredentialMenuProps {
  readonly credential: Credential;
  readonly busy: boolean;
  readonly onAction: (kind: ActionKind) => void;
  readonly onEnable: () => void;
}

export function CredentialMenu({ credential, busy, onAction, onEnable }: CredentialMenuProps) {
  const t = useTexts(texts);
  const s = useTexts(simulationTexts);
  const { id, name, disabled } = credential;
  return (
    <RowMenu name={name} busy={busy}>
      <MenuEntry icon={IconPencil} onChoose={() => onAction('edit')}>
        {t('edit')}
      </MenuEntry>
      <MenuEntry icon={IconEye} onChoose={() => onAction('simulate')}>
        {s('whatItSees')}
      </MenuEntry>
      <MenuLink icon={IconLogs} link={(link) => <Link to="/audit-log" search={{ token: id }} {...link} />}>
        {t('showCalls')}
      </MenuLink>
      <MenuLink icon={IconWebhook} link={(link) => <Link to="/webhooks" search={{ token: id }} {...link} />}>
        {t('toWebhooks')}
      </MenuLink>
      <EnableEntry disabled={Boolean(disabled)} onEnable={onEnable} onDisable={() => onAction('disable')} />
      <DeleteEntry onChoose={() => onAction('revoke')}>{t('revoke')}</DeleteEntry>
    </RowMenu>
  );
}
