import type { CategoryTotals } from '@classledger/contract';
import { texts } from '../../components/category-texts.ts';
import { CategoryRadar } from '../../components/charts/CategoryRadar.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Card } from '../Card.tsx';

export default function CategoryCard({ totals }: { readonly totals: readonly CategoryTotals[] }) {
  const t = useTexts(texts);
  return (
    <Card title={t('pointsByCategory')}>
      <CategoryRadar totals={totals} />
    </Card>
  );
}
