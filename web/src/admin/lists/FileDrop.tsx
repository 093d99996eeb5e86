import { Alert, Button, FileButton, Group, Stack, Text, Title } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import classes from './Lists.module.css';
import { texts } from './texts.ts';

interface FileDropProps {
  readonly title: string;
  readonly hint: string;
  readonly accept: string;
  readonly reading: boolean;
  readonly failure: string | null;
  readonly onFile: (file: File) => void;
  readonly children?: ReactNode;
}

export function FileDrop({ title, hint, accept, reading, failure, onFile, children }: FileDropProps) {
  const t = useTexts(texts);
  const [over, setOver] = useState(false);
  const take = (file: File | null | undefined) => {
    if (file) onFile(file);
  };
  const drag = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type === 'dragover');
  };
  const drop = (event: DragEvent) => {
    drag(event);
    take(event.dataTransfer.files[0]);
  };
  return (
    <>
      <Stack
        className={classes.drop ?? ''}
        align="center"
        gap={8}
        px={20}
        py={48}
        ta="center"
        data-over={over || undefined}
        onDragOver={drag}
        onDragLeave={drag}
        onDrop={drop}
      >
        <IconFileSpreadsheet aria-hidden size={40} stroke={1.4} />
        <Title order={2} size="h3">
          {title}
        </Title>
        <Text c="dimmed" size="sm">
          {hint}
        </Text>
        <Group gap="xs" mt="xs" justify="center">
          <FileButton onChange={take} accept={accept}>
            {(props) => (
              <Button {...props} loading={reading}>
                {t('chooseFile')}
              </Button>
            )}
          </FileButton>
          {children}
        </Group>
        <output className="visually-hidden">{reading ? t('reading') : ''}</output>
      </Stack>
      {failure && (
        <Alert color="red" role="alert">
          {failure}
        </Alert>
      )}
    </>
  );
}
