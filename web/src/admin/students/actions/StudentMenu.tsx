import type { ListedStudent } from '@classledger/contract';
import { Menu } from '@mantine/core';
import { IconArrowsExchange, IconEraser, IconFileExport, IconKey, IconPencil } from '@tabler/icons-react';
import { DeleteEntry, EnableEntry, MenuEntry, RowMenu } from '../../../components/list/RowMenu.tsx';
import { useStudentNames } from '../../../components/student-names.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMayDo, useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { UnlinkMenuEntry } from '../../UnlinkMenuEntry.tsx';
import { texts as personalTexts } from '../personal-data/texts.ts';
import type { ActionKind } from './student-action.ts';
import { texts as actionTexts } from './texts.ts';

interface StudentMenuProps {
  readonly student: ListedStudent;
  readonly busy: boolean;
  readonly onAction: (kind: ActionKind) => void;
  readonly onEnable: () => void;
  readonly graduated: boolean;
  readonly atTitle?: boolean;
}

export function StudentMenu({ student, onAction, onEnable, graduated, ...menu }: StudentMenuProps) {
  const { textOf } = useStudentNames();
  const mayDo = useMayDo();
  if (graduated && !mayDo('managePersonalData')) return null;
  return (
    <RowMenu name={textOf(student)} {...menu}>
      {graduated ? (
        <PersonalDataEntries student={student} onAction={onAction} />
      ) : (
        <Entries student={student} onAction={onAction} onEnable={onEnable} />
      )}
    </RowMenu>
  );
}

function Entries({
  student,
  onAction,
  onEnable,
}: Pick<StudentMenuProps, 'student' | 'onAction' | 'onEnable'>) {
  const a = useTexts(actionTexts);
  const me = useMe();
  const mayDo = useMayDo();
  const { schoolDb } = useSchool();
  const { erased } = student;
  return (
    <>
      {!erased && (
        <MenuEntry icon={IconPencil} onChoose={() => onAction('edit')}>
          {a('edit')}
        </MenuEntry>
      )}
      {me.classId === null && (
        <MenuEntry icon={IconArrowsExchange} onChoose={() => onAction('move')}>
          {a('move')}
        </MenuEntry>
      )}
      {!erased && (
        <>
          <MenuEntry icon={IconKey} onChoose={() => onAction('resetPassword')}>
            {a('resetPassword')}
          </MenuEntry>
          <UnlinkMenuEntry who="student" id={student.id} schoolDb={schoolDb} />
          <EnableEntry
            disabled={student.disabled}
            onEnable={onEnable}
            onDisable={() => onAction('disable')}
          />
        </>
      )}
      {mayDo('managePersonalData') && (
        <>
          <Menu.Divider />
          <PersonalDataEntries student={student} onAction={onAction} />
        </>
      )}
      <DeleteEntry onChoose={() => onAction('delete')}>{a('delete')}</DeleteEntry>
    </>
  );
}

function PersonalDataEntries({ student, onAction }: Pick<StudentMenuProps, 'student' | 'onAction'>) {
  const p = useTexts(personalTexts);
  return (
    <>
      <MenuEntry icon={IconFileExport} onChoose={() => onAction('export')}>
        {p('exportEntry')}
      </MenuEntry>
      {!student.erased && (
        <MenuEntry icon={IconEraser} onChoose={() => onAction('erase')}>
          {p('eraseEntry')}
        </MenuEntry>
      )}
    </>
  );
}
