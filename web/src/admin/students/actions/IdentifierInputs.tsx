import { limits } from 'virtual:contract';
import { SimpleGrid, TextInput } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import { texts as common } from '../texts.ts';

export interface Identifiers {
  readonly externalId: string;
  readonly cardNumber: string;
}

interface IdentifierInputsProps {
  readonly value: Identifiers;
  readonly onChange: (value: Identifiers) => void;
}

export function IdentifierInputs({ value, onChange }: IdentifierInputsProps) {
  const t = useTexts(common);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {(['externalId', 'cardNumber'] as const).map((field) => (
        <TextInput
          key={field}
          label={t(field)}
          description={t(`${field}Hint`)}
          value={value[field]}
          onChange={(event) => onChange({ ...value, [field]: event.currentTarget.value })}
          maxLength={limits.identifierLengthMax}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      ))}
    </SimpleGrid>
  );
}
