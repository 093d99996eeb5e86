import { Alert, Button, FileButton, Group, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useState } from 'react';
import { Hint } from '../../components/Hint.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { readText } from '../../spreadsheets/read-rows.ts';
import type { Sheet } from '../../spreadsheets/sheet.ts';
import { Heading } from '../page/Page.tsx';
import { fileEndings, type ListSourceDraft, type ReadList, useReadList } from './read-list.ts';
import { texts } from './texts.ts';

interface ListSourceProps extends ListSourceDraft {
  readonly fileHint: string;
  readonly pasteLabel: string;
  readonly onChange: (change: Partial<ListSourceDraft>) => void;
  readonly onList: (list: ReadList) => void;
  readonly hasHeadings: (sheet: Sheet) => boolean;
  readonly children?: ReactNode;
}

export function ListSource(props: ListSourceProps) {
  const { source, onChange } = props;
  const t = useTexts(texts);
  const { read, reading, failure } = useReadList(props.onList, props.hasHeadings);
  return (
    <Stack>
      <SegmentedControl
        value={source}
        onChange={(chosen) => onChange({ source: chosen === 'paste' ? 'paste' : 'file' })}
        data={[
          { value: 'file', label: t('fromFile') },
          { value: 'paste', label: t('paste') },
        ]}
        maw={400}
      />
      {source === 'file' ? (
        <FileDrop
          title={t('dropTitle')}
          hint={props.fileHint}
          accept={fileEndings}
          reading={reading}
          failure={failure}
          onFile={(file) => read({ file })}
        >
          {props.children}
        </FileDrop>
      ) : (
        <FromText {...props} />
      )}
    </Stack>
  );
}

function FromText({ pasted, pasteLabel, onChange, onList }: ListSourceProps) {
  const t = useTexts(texts);
  const [empty, setEmpty] = useState(false);
  const read = async () => {
    const sheet = await readText(pasted);
    setEmpty(sheet.rows.length === 0);
    if (sheet.rows.length > 0) onList({ name: null, file: null, ...sheet });
  };
  return (
    <>
      <Textarea
        label={pasteLabel}
        description={t('pasteHint')}
        value={pasted}
        onChange={(event) => onChange({ pasted: event.currentTarget.value })}
        autosize
        minRows={8}
        maxRows={12}
        spellCheck={false}
        error={empty && t('required')}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Group justify="flex-end">
        <Button onClick={() => void read()}>{t('next')}</Button>
      </Group>
    </>
  );
}

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
  const readIfGiven = (file: File | null | undefined) => {
    if (file) onFile(file);
  };
  const drag = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type === 'dragover');
  };
  const drop = (event: DragEvent) => {
    drag(event);
    readIfGiven(event.dataTransfer.files[0]);
  };
  return (
    <>
      <Stack
        align="center"
        gap={8}
        px={20}
        py={48}
        ta="center"
        bd={`1.5px dashed var(${over ? '--app-accent' : '--mantine-color-default-border'})`}
        bdrs="lg"
        bg={`var(${over ? '--app-accent-soft' : '--app-surface'})`}
        onDragOver={drag}
        onDragLeave={drag}
        onDrop={drop}
      >
        <IconFileSpreadsheet aria-hidden size={40} stroke={1.4} />
        <Heading>{title}</Heading>
        <Hint>{hint}</Hint>
        <Group gap="xs" mt="xs" justify="center">
          <FileButton onChange={readIfGiven} accept={accept}>
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
