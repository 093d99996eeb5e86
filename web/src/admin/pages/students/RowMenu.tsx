import type { Student } from '@classledger/contract';
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconArrowsExchange,
  IconDots,
  IconKey,
  IconPencil,
  IconTrash,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import type { ActionKind } from './actions/student-action.ts';
import { texts as actionTexts } from './actions/texts.ts';
import { texts } from './texts.ts';

interface RowMenuProps {
  readonly student: Student;
  readonly onAction: (kind: ActionKind) => void;
  readonly onEnable: () => void;
}

/** What can be done to one student. The menu is made when it is first opened: two hundred of them are slow. */
export function RowMenu(props: RowMenuProps) {
  const t = useTexts(texts);
  const [used, setUsed] = useState(false);
  const label = t('actionsFor', { name: props.student.actualName });
  const icon = <IconDots aria-hidden size={18} />;
  const look = { variant: 'subtle', color: 'gray', size: 'md', 'aria-label': label } as const;
  if (!used) {
    return (
      <ActionIcon {...look} aria-haspopup="menu" onClick={() => setUsed(true)}>
        {icon}
      </ActionIcon>
    );
  }
  return (
    <Menu defaultOpened position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon {...look}>{icon}</ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <StudentMenuItems {...props} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** The entries alone, for a menu with another button. */
export function StudentMenuItems({ student, onAction, onEnable }: RowMenuProps) {
  const a = useTexts(actionTexts);
  const me = useMe();
  return (
    <>
      <Menu.Item leftSection={<IconPencil aria-hidden size={16} />} onClick={() => onAction('edit')}>
        {a('edit')}
      </Menu.Item>
      {me.classId === null && (
        <Menu.Item
          leftSection={<IconArrowsExchange aria-hidden size={16} />}
          onClick={() => onAction('move')}
        >
          {a('move')}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconKey aria-hidden size={16} />} onClick={() => onAction('resetPassword')}>
        {a('resetPassword')}
      </Menu.Item>
      {student.disabled ? (
        <Menu.Item leftSection={<IconUserCheck aria-hidden size={16} />} onClick={onEnable}>
          {a('enable')}
        </Menu.Item>
      ) : (
        <Menu.Item leftSection={<IconUserOff aria-hidden size={16} />} onClick={() => onAction('disable')}>
          {a('disable')}
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item
        color="red"
        leftSection={<IconTrash aria-hidden size={16} />}
        onClick={() => onAction('delete')}
      >
        {a('delete')}
      </Menu.Item>
    </>
  );
}
