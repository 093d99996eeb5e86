import {
  Alert,
  Button,
  FileButton,
  Group,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { readRows, readText, type Sheet } from '../../../spreadsheets/read-rows.ts';
import { UnreadableFile } from '../../../spreadsheets/unreadable-file.ts';
import { saveTable } from '../../../spreadsheets/write-table.ts';
import classes from './ImportPage.module.css';
import type { ImportDraft } from './import-draft.ts';
import { texts } from './texts.ts';

interface ListStepProps {
  readonly draft: ImportDraft;
  readonly onChange: (change: Partial<ImportDraft>) => void;
  /** A list was read; `name` is the file's, null for a pasted list. */
  readonly onList: (name: string | null, sheet: Sheet) => void;
}

/** The first step: where the list comes from. */
export function ListStep({ draft, onChange, onList }: ListStepProps) {
  const t = useTexts(texts);
  return (
    <Stack>
      <SegmentedControl
        value={draft.source}
        onChange={(source) => onChange({ source: source === 'paste' ? 'paste' : 'file' })}
        data={[
          { value: 'file', label: t('fromFile') },
          { value: 'paste', label: t('paste') },
        ]}
        maw={400}
      />
      {draft.source === 'file' ? (
        <FromFile onList={onList} />
      ) : (
        <FromText text={draft.pasted} onText={(pasted) => onChange({ pasted })} onList={onList} />
      )}
    </Stack>
  );
}

const failureKeys = {
  tooLarge: 'fileTooLarge',
  kind: 'fileKind',
  broken: 'fileBroken',
  text: 'fileText',
  empty: 'fileEmpty',
} as const satisfies Record<UnreadableFile['reason'], string>;

function FromFile({ onList }: Pick<ListStepProps, 'onList'>) {
  const t = useTexts(texts);
  const [over, setOver] = useState(false);
  const [reading, setReading] = useState(false);
  const [failure, setFailure] = useState<UnreadableFile['reason'] | null>(null);
  const read = async (file: File | null | undefined) => {
    if (!file) return;
    setReading(true);
    setFailure(null);
    try {
      onList(file.name, await readRows(file));
    } catch (error) {
      setFailure(error instanceof UnreadableFile ? error.reason : 'broken');
    } finally {
      setReading(false);
    }
  };
  const drag = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type === 'dragover');
  };
  const drop = (event: DragEvent) => {
    drag(event);
    void read(event.dataTransfer.files[0]);
  };
  const saveTemplate = () =>
    void saveTable(
      t('templateName'),
      { header: [t('fieldUsername'), t('fieldName'), t('grade'), t('class')], rows: [] },
      'xlsx',
    );
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the button does the same */}
      <div
        className={classes.drop}
        data-over={over || undefined}
        onDragOver={drag}
        onDragLeave={drag}
        onDrop={drop}
      >
        <IconFileSpreadsheet aria-hidden size={40} stroke={1.4} />
        <Title order={2} size="h3">
          {t('dropTitle')}
        </Title>
        <Text c="dimmed" size="sm">
          {t('dropHint')}
        </Text>
        <Group gap="xs" mt="xs" justify="center">
          <FileButton onChange={(file) => void read(file)} accept=".xlsx,.csv,.txt,.tsv">
            {(props) => (
              <Button {...props} loading={reading}>
                {t('chooseFile')}
              </Button>
            )}
          </FileButton>
          <Button variant="subtle" onClick={saveTemplate}>
            {t('template')}
          </Button>
        </Group>
        <output className="visually-hidden">{reading ? t('reading') : ''}</output>
      </div>
      {failure && (
        <Alert color="red" role="alert">
          {t(failureKeys[failure])}
        </Alert>
      )}
    </>
  );
}

interface FromTextProps extends Pick<ListStepProps, 'onList'> {
  readonly text: string;
  readonly onText: (text: string) => void;
}

function FromText({ text, onText, onList }: FromTextProps) {
  const t = useTexts(texts);
  const [empty, setEmpty] = useState(false);
  const read = async () => {
    const sheet = await readText(text);
    setEmpty(sheet.rows.length === 0);
    if (sheet.rows.length > 0) onList(null, sheet);
  };
  return (
    <>
      <Textarea
        label={t('pasteLabel')}
        description={t('pasteHint')}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        autosize
        minRows={8}
        maxRows={12}
        spellCheck={false}
        error={empty && t('required')}
        classNames={{ input: classes.pasted ?? '' }}
      />
      <Group justify="flex-end">
        <Button onClick={() => void read()}>{t('next')}</Button>
      </Group>
    </>
  );
}
