import type { School } from '@classledger/contract';
import { notifications } from '@mantine/notifications';
import { IconLogin2, IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMutationOf } from '../../../api/queries.ts';
import { DeleteEntry, EnableEntry, MenuEntry, MenuLink, RowMenu } from '../../../components/list/RowMenu.tsx';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from '../school-texts.ts';

type ActionKind = 'rename' | 'disable' | 'delete';

export interface SchoolAction {
  readonly kind: ActionKind;
  readonly school: School;
}

interface SchoolMenuProps {
  readonly school: School;
  readonly onAction: (kind: ActionKind) => void;
}

export function SchoolMenu({ school: { id, schoolDb, name, disabled }, onAction }: SchoolMenuProps) {
  const t = useTexts(texts);
  const enable = useMutationOf('updateSchool', {
    onSuccess: (school) => notifications.show({ message: t('enabledDone', { name: school.name }) }),
    onError: useFailureNotice(),
  });
  return (
    <RowMenu name={name} busy={enable.isPending}>
      <MenuEntry icon={IconPencil} onChoose={() => onAction('rename')}>
        {t('rename')}
      </MenuEntry>
      <MenuLink
        icon={IconLogin2}
        link={(link) => <Link to="/sign-in-providers" search={{ school: schoolDb }} {...link} />}
      >
        {t('singleSignOn')}
      </MenuLink>
      <EnableEntry
        disabled={Boolean(disabled)}
        onEnable={() => enable.mutate({ params: { id }, body: { disabled: false } })}
        onDisable={() => onAction('disable')}
      />
      <DeleteEntry onChoose={() => onAction('delete')}>{t('delete')}</DeleteEntry>
    </RowMenu>
  );
}
