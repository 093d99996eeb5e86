import { Avatar, Menu, UnstyledButton } from '@mantine/core';
import { IconLogout, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { LanguageSwitch } from '../../components/LanguageSwitch.tsx';
import { SchemeSwitch } from '../../components/SchemeSwitch.tsx';
import { commonTexts } from '../../i18n/common-texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useSignOut } from '../../session/use-sign-out.ts';
import { useMe } from '../me.ts';
import { texts } from './texts.ts';
import classes from './UserMenu.module.css';

/** Who is signed in, with the account, language, appearance and the way out. */
export function UserMenu({ narrow }: { readonly narrow: boolean }) {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const me = useMe();
  const { signOut } = useSignOut();
  return (
    <Menu position="top-start" width={228} shadow="md">
      <Menu.Target>
        <UnstyledButton
          className={classes.target ?? ''}
          data-narrow={narrow || undefined}
          {...(narrow && { 'aria-label': t('userMenu', { name: me.username }) })}
        >
          <Avatar size={32} radius="xl" className={classes.avatar ?? ''} aria-hidden>
            {[...me.username][0]?.toUpperCase()}
          </Avatar>
          {!narrow && (
            <span className={classes.who}>
              <span className={classes.name}>{me.username}</span>
              <span className={classes.role}>{t(me.role)}</span>
            </span>
          )}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/account" leftSection={<IconUser aria-hidden size={17} />}>
          {t('account')}
        </Menu.Item>
        <Menu.Divider />
        <div className={classes.switches}>
          <LanguageSwitch fullWidth />
          <SchemeSwitch fullWidth />
        </div>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout aria-hidden size={17} />} onClick={signOut}>
          {c('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
