import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ColorSchemeSwitch } from '../components/ColorSchemeSwitch.tsx';
import { LanguageSwitch } from '../components/LanguageSwitch.tsx';
import { Logo } from '../components/Logo.tsx';
import { usePageTitle } from '../i18n/page-title.ts';
import classes from './SignInLayout.module.css';

interface SignInLayoutProps {
  readonly title: string;
  readonly text: string;
  readonly backLink: ReactNode;
  readonly children: ReactNode;
}

export function SignInLayout({ title, text, backLink, children }: SignInLayoutProps) {
  usePageTitle(title);
  return (
    <div className={classes.page}>
      <main className={classes.main}>
        <Anchor href="/" underline="never" mb="lg">
          <Logo />
        </Anchor>
        <Paper className={classes.card ?? ''}>
          <Stack gap={4} mb="lg">
            <Title order={1}>{title}</Title>
            <Text c="dimmed">{text}</Text>
          </Stack>
          {children}
        </Paper>
        <Group mt="lg" gap="sm" justify="center">
          <LanguageSwitch />
          <ColorSchemeSwitch />
        </Group>
        {backLink}
      </main>
    </div>
  );
}
