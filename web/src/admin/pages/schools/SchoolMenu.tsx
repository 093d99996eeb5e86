import type { School } from '@classledger/contract';
import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useMutationOf } from '../../../api/queries.ts';
import { useFailureText } from '../../../components/failure-text.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

/** What a dialog is opened for. Enabling takes nothing from anybody and is done at once. */
export type SchoolAction = 'rename' | 'disable' | 'delete';

interface SchoolMenuProps {
  readonly school: School;
  readonly onAction: (action: SchoolAction) => void;
}

/** What can be done to one school, beside opening it. */
export function SchoolMenu({ school, onAction }: SchoolMenuProps) {
  const t = useTexts(texts);
  const failureText = useFailureText();
  const enable = useMutationOf('updateSchool', {
    invalidates: ['listSchools'],
    onSuccess: ({ name }) => notifications.show({ message: t('enabledDone', { name }) }),
    onError: (error) => notifications.show({ color: 'red', message: failureText(error) }),
  });
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          loading={enable.isPending}
          aria-label={t('actionsFor', { name: school.name })}
        >
          <IconDots aria-hidden size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil aria-hidden size={16} />} onClick={() => onAction('rename')}>
          {t('rename')}
        </Menu.Item>
        {school.disabled ? (
          <Menu.Item
            leftSection={<IconPlayerPlay aria-hidden size={16} />}
            onClick={() => enable.mutate({ params: { id: school.id }, body: { disabled: false } })}
          >
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
          onClick={() => onAction('delete')}
        >
          {t('delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
