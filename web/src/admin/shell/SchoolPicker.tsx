import { Center, Select, Text, Tooltip } from '@mantine/core';
import { useTexts } from '../../i18n/texts.ts';
import { useSchools } from '../school.tsx';
import { schoolIcon as SchoolIcon } from './navigation.ts';
import { texts } from './texts.ts';

export function SchoolPicker({ narrow }: { readonly narrow: boolean }) {
  const t = useTexts(texts);
  const { schools, school, choose } = useSchools();
  if (!school) return null;
  if (narrow) {
    return (
      <Tooltip label={school.name} position="right">
        <Center mih={36} c="dimmed" role="img" aria-label={school.name}>
          <SchoolIcon aria-hidden size={19} stroke={1.7} />
        </Center>
      </Tooltip>
    );
  }
  if (schools.length === 1) {
    return (
      <Text px={10} size="sm" c="dimmed" truncate title={school.name}>
        {school.name}
      </Text>
    );
  }
  return (
    <Select
      aria-label={t('pickSchool')}
      leftSection={<SchoolIcon aria-hidden size={17} stroke={1.7} />}
      data={schools.map(({ schoolDb, name }) => ({ value: schoolDb, label: name }))}
      value={school.schoolDb}
      onChange={(chosen) => chosen !== null && choose(chosen)}
      searchable
      allowDeselect={false}
      limit={100}
    />
  );
}
