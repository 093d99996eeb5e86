import type { Administrator } from '@classledger/contract';
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconDots,
  IconHistory,
  IconKey,
  IconPencil,
  IconTrash,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { texts } from './texts.ts';

export type AdministratorAction = 'edit' | 'resetPassword' | 'disable' | 'delete';

interface AdministratorMenuProps {
  readonly administrator: Administrator;
  /** Whether the caller may change this one. */
  readonly managed: boolean;
  readonly onAction: (action: AdministratorAction) => void;
  readonly onEnable: () => void;
}

/** What can be done with one administrator; what nobody may do to themselves is not offered. */
export function AdministratorMenu({ administrator, managed, onAction, onEnable }: AdministratorMenuProps) {
  const t = useTexts(texts);
  const me = useMe();
  const navigate = useNavigate();
  const { id, username, disabled, schoolId } = administrator;
  const isOneself = id === me.id;
  const showActivity = () =>
    void navigate({ to: '/activity', search: { admin: id, ...(schoolId === null && { all: true }) } });
  return (
    <Menu position="bottom-end" width={210}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actionsFor', { name: username })}>
          <IconDots aria-hidden size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconHistory aria-hidden size={16} />} onClick={showActivity}>
          {t('showActivity')}
        </Menu.Item>
        {managed && (
          <Menu.Item leftSection={<IconPencil aria-hidden size={16} />} onClick={() => onAction('edit')}>
            {t('edit')}
          </Menu.Item>
        )}
        {managed && !isOneself && (
          <>
            <Menu.Item
              leftSection={<IconKey aria-hidden size={16} />}
              onClick={() => onAction('resetPassword')}
            >
              {t('resetPassword')}
            </Menu.Item>
            {disabled ? (
              <Menu.Item leftSection={<IconUserCheck aria-hidden size={16} />} onClick={onEnable}>
                {t('enable')}
              </Menu.Item>
            ) : (
              <Menu.Item
                leftSection={<IconUserOff aria-hidden size={16} />}
                onClick={() => onAction('disable')}
              >
                {t('disable')}
              </Menu.Item>
            )}
            <Menu.Divider />
            <Menu.Item
              color="red"
              leftSection={<IconTrash aria-hidden size={16} />}
              onClick={() => onAction('delete')}
            >
              {t('delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
