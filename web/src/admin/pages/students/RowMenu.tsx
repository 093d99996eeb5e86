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
import { type RefObject, useEffect, useRef, useState } from 'react';
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

const icon = <IconDots aria-hidden size={18} />;
const look = { variant: 'subtle', color: 'gray', size: 'md' } as const;

/** What can be done to one student. The menu is made when it is first opened: two hundred of them are slow. */
export function RowMenu(props: RowMenuProps) {
  const t = useTexts(texts);
  const [used, setUsed] = useState(false);
  const label = t('actionsFor', { name: props.student.actualName });
  if (used) return <UsedMenu {...props} label={label} />;
  return (
    <ActionIcon {...look} aria-label={label} aria-haspopup="menu" onClick={() => setUsed(true)}>
      {icon}
    </ActionIcon>
  );
}

/** Opens at once. Its button, which took the place of the one that was pressed, has the focus before. */
function UsedMenu({ label, ...props }: RowMenuProps & { readonly label: string }) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    button.current?.focus();
    setOpened(true);
  }, []);
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon {...look} ref={button} aria-label={label}>
          {icon}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <StudentMenuItems {...props} button={button} />
      </Menu.Dropdown>
    </Menu>
  );
}

interface StudentMenuItemsProps extends RowMenuProps {
  /** Of the menu. */
  readonly button: RefObject<HTMLButtonElement | null>;
}

/** The entries alone, for a menu with another button. */
export function StudentMenuItems({ student, button, onEnable, ...props }: StudentMenuItemsProps) {
  const a = useTexts(actionTexts);
  const me = useMe();
  const onAction = (kind: ActionKind) => {
    // The entry goes with the menu; what is opened now gives the focus back to the button.
    button.current?.focus();
    props.onAction(kind);
  };
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
