import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../../i18n/texts.ts';
import { saveTable } from '../../../spreadsheets/write-table.ts';
import { hasHeadings } from '../../lists/columns.ts';
import { ListSource } from '../../lists/ListSource.tsx';
import type { ReadList } from '../../lists/read-list.ts';
import type { ImportDraft } from './import-draft.ts';
import { studentFields } from './student-columns.ts';
import { texts } from './texts.ts';

interface ListStepProps {
  readonly draft: ImportDraft;
  readonly onChange: (change: Partial<ImportDraft>) => void;
  readonly onList: (list: ReadList) => void;
}

export function ListStep({ draft, onChange, onList }: ListStepProps) {
  const t = useTexts(texts);
  const saveTemplate = () =>
    void saveTable(
      t('templateName'),
      { header: [t('fieldUsername'), t('fieldName'), t('grade'), t('class')], rows: [] },
      'xlsx',
    );
  return (
    <ListSource
      source={draft.source}
      pasted={draft.pasted}
      fileHint={t('dropHint')}
      pasteLabel={t('pasteLabel')}
      onChange={onChange}
      onList={onList}
      hasHeadings={hasHeadings(studentFields)}
    >
      <Button variant="subtle" onClick={saveTemplate}>
        {t('template')}
      </Button>
      <Button variant="subtle" component={Link} to="/students/roster">
        {t('roster')}
      </Button>
    </ListSource>
  );
}
