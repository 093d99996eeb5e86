import Type from 'typebox';
import { exampleCategory } from './examples.ts';
import { Colour, Input, is, Name, OneOf, Optional, Page, paging, ShownName, sorting } from './fields.ts';
import { internalPaging } from './internal/lists.ts';
import { limits } from './limits.ts';
import { dutyInSchool, external } from './operation.ts';
import { Category } from './records.ts';

const code = Type.String({
  minLength: 1,
  maxLength: limits.categoryCodeLengthMax,
  pattern: '^[a-zA-Z0-9._-]+$',
  'x-characters': 'Letters, digits, `.`, `_` and `-`.',
  description: 'Code, unique in the school.',
  examples: ['zhi'],
});
const Position = Type.Integer({
  minimum: 0,
  maximum: 1_000,
  description: 'Its place in the order of the pages.',
});

const create = {
  body: Input({
    code,
    name: Name,
    colour: Colour,
    position: Optional(Position, 'Its place in the order of the pages. The default is the last place.'),
  }),
  data: Category,
} as const;

const change = {
  target: { category: 'path.id' },
  body: Input({
    code: Type.Optional(code),
    name: Type.Optional(Name),
    colour: Type.Optional(Colour),
    position: Type.Optional(Position),
    retired: Optional(
      Type.Boolean(),
      '`true` retires the category, so that new points cannot get it. `false` brings it back.',
    ),
  }),
  data: Category,
} as const;

const errors = {
  409: `The school already has a category of that code, or ${limits.categoriesMax} categories.`,
} as const;

export const externalCategoryOperations = external('Categories', {
  listCategories: {
    route: 'GET /categories',
    summary: 'List the categories of the school',
    description: 'Retired categories are included. The list is sorted by id.',
    permission: 'templates:read',
    query: Type.Object({ ...paging, ...sorting }),
    data: Page(Category),
    examples: { data: { list: [exampleCategory], total: 1, page: 1, limit: 20 } },
  },

  createCategory: {
    ...create,
    route: 'POST /categories',
    summary: 'Create a category',
    description: `Needs a school credential. Codes are unique in the school. A school can have up to ${limits.categoriesMax} categories.`,
    permission: 'templates:write',
    errors: [40901],
    examples: {
      body: { category: { code: 'zhi', name: 'Intellectual', colour: 2 } },
      data: exampleCategory,
    },
  },

  updateCategory: {
    ...change,
    route: 'PATCH /categories/:id',
    summary: 'Change, retire or bring back a category',
    description:
      'Needs a school credential. Send at least one field. A category cannot be deleted, and old records keep a retired one.',
    permission: 'templates:write',
    errors: [40901],
    examples: { body: { retire: { retired: true } }, data: { ...exampleCategory, retired: true } },
  },
});

const readOperations = dutyInSchool('Categories', 'readTemplates', {
  listScoreCategories: {
    route: 'GET /scores/categories',
    summary: 'List the categories of the school by their position, retired ones included',
    shows: ['category'],
    query: Type.Object({ ...internalPaging }),
    data: Type.Array(Category),
  },
});

export const categoryPresets = ['fiveVirtues', 'pbis'] as const;

const manageOperations = dutyInSchool('Categories', 'manageTemplates', {
  createScoreCategory: {
    ...create,
    route: 'POST /scores/categories',
    summary: 'Create a category of the school',
    affects: ['category'],
    activity: { verb: 'added', subject: 'category' },
    errors,
  },

  createPresetCategories: {
    route: 'POST /scores/categories/preset',
    summary: 'Create the categories of a preset, either all or none',
    description:
      '`fiveVirtues` creates 德智体美劳. `pbis` creates the expectations respectful, responsible and safe.',
    affects: ['category'],
    activity: { verb: 'added', subject: 'category' },
    errors,
    body: Input({
      preset: is(OneOf(categoryPresets), 'The preset.'),
      language: is(OneOf(['en', 'zh']), 'The language of the names.'),
    }),
    data: Type.Object({
      name: is(ShownName, 'Name of the preset.'),
      categories: is(Type.Array(Category), 'The new categories.'),
    }),
  },

  updateScoreCategory: {
    ...change,
    route: 'PATCH /scores/categories/:id',
    summary: 'Change, retire or bring back a category',
    affects: ['category'],
    activity: { verb: 'changed', subject: 'category' },
    errors,
  },
});

export const internalCategoryOperations = { ...readOperations, ...manageOperations };
