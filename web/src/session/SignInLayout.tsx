import { Anchor, Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ColorSchemeSwitch } from '../components/ColorSchemeSwitch.tsx';
import { LanguageSwitch } from '../components/LanguageSwitch.tsx';
import { Logo } from '../components/Logo.tsx';
import { usePageTitle } from '../i18n/page-title.ts';

interface SignInLayoutProps {
  readonly title: string;
  readonly text: string;
  readonly backLink: ReactNode;
  readonly children: ReactNode;
}

export function SignInLayout({ title, text, backLink, children }: SignInLayoutProps) {
  usePageTitle(title);
  return (
    <Center
      mih="100dvh"
      px="md"
      py={24}
      bg="radial-gradient(120% 60% at 50% 0%, var(--app-accent-soft), transparent 70%)"
    >
      <Stack component="main" align="center" gap={0} w="100%" maw={400}>
        <Anchor href="/" underline="never" mb="lg">
          <Logo />
        </Anchor>
        <Paper withBorder shadow="sm" w="100%" p={{ base: 20, xs: 28 }}>
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
      </Stack>
    </Center>
  );
}
