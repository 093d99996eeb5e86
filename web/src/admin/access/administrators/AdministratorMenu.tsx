import type { Administrator } from '@classledger/contract';
import { IconHistory, IconKey, IconPencil, IconShieldOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { DeleteEntry, EnableEntry, MenuEntry, MenuLink, RowMenu } from '../../../components/list/RowMenu.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { UnlinkEntry } from '../../UnlinkEntry.tsx';
import { texts } from './texts.ts';

type ActionKind = 'edit' | 'resetPassword' | 'resetFactor' | 'disable' | 'delete';

export interface AdministratorAction {
  readonly kind: ActionKind;
  readonly administrator: Administrator;
}

interface AdministratorMenuProps {
  readonly administrator: Administrator;
  readonly managed: boolean;
  readonly busy: boolean;
  readonly onAction: (kind: ActionKind) => void;
  readonly onEnable: () => void;
}

export function AdministratorMenu({ administrator, managed, busy, ...props }: AdministratorMenuProps) {
  const { onAction, onEnable } = props;
  const t = useTexts(texts);
  const me = useMe();
  const { id, username, disabled, schoolId } = administrator;
  const isOneself = id === me.id;
  return (
    <RowMenu name={username} busy={busy}>
      <MenuLink
        icon={IconHistory}
        link={(link) => (
          <Link to="/activity" search={{ admin: id, ...(schoolId === null && { all: true }) }} {...link} />
        )}
      >
        {t('showActivity')}
      </MenuLink>
      {managed && (
        <MenuEntry icon={IconPencil} onChoose={() => onAction('edit')}>
          {t('edit')}
        </MenuEntry>
      )}
      {managed && !isOneself && (
        <>
          <MenuEntry icon={IconKey} onChoose={() => onAction('resetPassword')}>
            {t('resetPassword')}
          </MenuEntry>
          <MenuEntry icon={IconShieldOff} onChoose={() => onAction('resetFactor')}>
            {t('resetFactor')}
          </MenuEntry>
          <UnlinkEntry
            who="administrator"
            id={id}
            schoolDb={schoolId === null ? null : `school_${schoolId}`}
          />
          <EnableEntry
            disabled={Boolean(disabled)}
            onEnable={onEnable}
            onDisable={() => onAction('disable')}
          />
          <DeleteEntry onChoose={() => onAction('delete')}>{t('delete')}</DeleteEntry>
        </>
      )}
    </RowMenu>
  );
}
