import type { Credential } from '@classledger/contract';
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconDots,
  IconLogs,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

export type CredentialAction = 'edit' | 'disable' | 'revoke';

interface CredentialMenuProps {
  readonly credential: Credential;
  readonly onAction: (action: CredentialAction) => void;
  readonly onEnable: () => void;
}

/** What can be done with one credential. */
export function CredentialMenu({ credential, onAction, onEnable }: CredentialMenuProps) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actionsFor', { name: credential.name })}>
          <IconDots aria-hidden size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil aria-hidden size={16} />} onClick={() => onAction('edit')}>
          {t('edit')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogs aria-hidden size={16} />}
          onClick={() => void navigate({ to: '/audit-log', search: { token: credential.id } })}
        >
          {t('showCalls')}
        </Menu.Item>
        {credential.disabled ? (
          <Menu.Item leftSection={<IconPlayerPlay aria-hidden size={16} />} onClick={onEnable}>
            {t('enable')}
          </Menu.Item>
        ) : (
          <Menu.Item
            leftSection={<IconPlayerPause aria-hidden size={16} />}
            onClick={() => onAction('disable')}
          >
            {t('disable')}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item
          color="red"
          leftSection={<IconTrash aria-hidden size={16} />}
          onClick={() => onAction('revoke')}
        >
          {t('revoke')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
