import { Paper, Text, ThemeIcon } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Notice.module.css';

interface NoticeProps {
  readonly icon: Icon;
  readonly tone: 'good' | 'attention';
  readonly title: string;
  readonly children?: ReactNode;
}

export function Notice({ icon: Shown, tone, title, children }: NoticeProps) {
  return (
    <Paper className={classes.notice ?? ''} data-tone={tone}>
      <ThemeIcon variant="light" size={38} radius="xl" color={tone === 'good' ? 'plus' : 'minus'}>
        <Shown aria-hidden size={20} />
      </ThemeIcon>
      <Text fw={600} size="lg" lh={1.35}>
        {title}
      </Text>
      {children !== undefined && <div className={classes.content}>{children}</div>}
    </Paper>
  );
}
