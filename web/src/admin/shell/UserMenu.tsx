import { Avatar, Popover, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconBook, IconLogout, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ColorSchemeSwitch } from '../../components/ColorSchemeSwitch.tsx';
import { LanguageSwitch } from '../../components/LanguageSwitch.tsx';
import { lettersOf } from '../../i18n/letters.ts';
import { useLanguage, useTexts } from '../../i18n/texts.ts';
import { useMe } from '../me.ts';
import { useSignOut } from '../use-sign-out.tsx';
import classes from './AdminShell.module.css';
import { texts } from './texts.ts';

/** A popover instead of a menu, because for screen readers a menu must not contain settings. */
export function UserMenu({ narrow }: { readonly narrow: boolean }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const me = useMe();
  const { signOut, dialog } = useSignOut();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Popover opened={opened} onChange={setOpened} position="top-start" width={228} shadow="md" trapFocus>
        <Popover.Target>
          <UnstyledButton
            onClick={() => setOpened(!opened)}
            className={classes.item ?? ''}
            mih={44}
            data-narrow={narrow || undefined}
            {...(narrow && { 'aria-label': t('userMenu', { name: me.username }) })}
          >
            <Avatar size={32} radius="xl" color="teal" aria-hidden>
              {lettersOf(me.username)[0]?.toUpperCase()}
            </Avatar>
            {!narrow && (
              <Stack component="span" gap={0} miw={0} lh={1.3}>
                <Text span inherit fw={600} truncate>
                  {me.username}
                </Text>
                <Text span lh="inherit" fz="0.75rem" c="dimmed">
                  {t(me.role)}
                </Text>
              </Stack>
            )}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown className={classes.menu ?? ''} p={4}>
          <Link to="/account" className={classes.item ?? ''} onClick={() => setOpened(false)}>
            <IconUser aria-hidden size={17} />
            {t('account')}
          </Link>
          <a
            href={`/docs/teachers-guide?lang=${language}`}
            target="_blank"
            className={classes.item ?? ''}
            onClick={() => setOpened(false)}
            rel="noopener"
          >
            <IconBook aria-hidden size={17} />
            {t('teachersGuide')}
          </a>
          <Stack gap={6} my={4} px={6} py={8} style={{ borderBlock: '1px solid var(--app-line)' }}>
            <LanguageSwitch fullWidth />
            <ColorSchemeSwitch fullWidth />
          </Stack>
          <UnstyledButton
            className={classes.item ?? ''}
            onClick={() => {
              setOpened(false);
              signOut();
            }}
          >
            <IconLogout aria-hidden size={17} />
            {t('signOut')}
          </UnstyledButton>
        </Popover.Dropdown>
      </Popover>
      {/* Outside the popover, because a touch on the dialog closes the popover. */}
      {dialog}
    </>
  );
}
