// Made of the contract by `npm run client:generate`. Do not edit.

/**
 * Every operation of the API. `takesKey`: it honours idempotency keys. `parts`: the field of a bulk request, how many
 * entries it takes, and of its answer the fields that count entries and those that repeat a flag of the body.
 */
export const operations = {
  ping: { method: 'GET', path: '/ping', permission: null, takesKey: false, parts: null },
  listStudents: { method: 'GET', path: '/students', permission: 'students:read', takesKey: false, parts: null },
  getStudent: { method: 'GET', path: '/students/:id', permission: 'students:read', takesKey: false, parts: null },
  createStudents: { method: 'POST', path: '/students', permission: 'students:write', takesKey: true, parts: { field: 'batch', max: 200, counts: ['successCount', 'failedCount', 'totalCount'], flags: [] } },
  upsertStudents: { method: 'PUT', path: '/students/batch', permission: 'students:write', takesKey: true, parts: { field: 'batch', max: 200, counts: ['successCount', 'failedCount', 'totalCount', 'createdCount', 'updatedCount', 'unchangedCount'], flags: ['dryRun'] } },
  updateStudent: { method: 'PATCH', path: '/students/:id', permission: 'students:write', takesKey: false, parts: null },
  deleteStudent: { method: 'DELETE', path: '/students/:id', permission: 'students:delete', takesKey: false, parts: null },
  listScores: { method: 'GET', path: '/scores', permission: 'scores:read', takesKey: false, parts: null },
  writeScores: { method: 'POST', path: '/scores', permission: 'scores:write', takesKey: true, parts: { field: 'items', max: 200, counts: ['successCount', 'failedCount', 'totalCount'], flags: [] } },
  revokeScore: { method: 'DELETE', path: '/scores/:logId', permission: 'scores:revoke', takesKey: true, parts: null },
  listGrades: { method: 'GET', path: '/grades', permission: 'structure:read', takesKey: false, parts: null },
  createGrade: { method: 'POST', path: '/grades', permission: 'structure:write', takesKey: false, parts: null },
  renameGrade: { method: 'PATCH', path: '/grades/:id', permission: 'structure:write', takesKey: false, parts: null },
  deleteGrade: { method: 'DELETE', path: '/grades/:id', permission: 'structure:delete', takesKey: false, parts: null },
  listClasses: { method: 'GET', path: '/classes', permission: 'structure:read', takesKey: false, parts: null },
  createClass: { method: 'POST', path: '/classes', permission: 'structure:write', takesKey: false, parts: null },
  updateClass: { method: 'PATCH', path: '/classes/:id', permission: 'structure:write', takesKey: false, parts: null },
  deleteClass: { method: 'DELETE', path: '/classes/:id', permission: 'structure:delete', takesKey: false, parts: null },
  getSeats: { method: 'GET', path: '/classes/:id/seats', permission: 'structure:read', takesKey: false, parts: null },
  replaceSeats: { method: 'PUT', path: '/classes/:id/seats', permission: 'structure:write', takesKey: false, parts: null },
  listTemplates: { method: 'GET', path: '/templates', permission: 'templates:read', takesKey: false, parts: null },
  createTemplate: { method: 'POST', path: '/templates', permission: 'templates:write', takesKey: false, parts: null },
  updateTemplate: { method: 'PATCH', path: '/templates/:id', permission: 'templates:write', takesKey: false, parts: null },
  deleteTemplate: { method: 'DELETE', path: '/templates/:id', permission: 'templates:write', takesKey: false, parts: null },
  getChanges: { method: 'GET', path: '/changes', permission: null, takesKey: false, parts: null },
  getOverview: { method: 'GET', path: '/stats/overview', permission: 'stats:read', takesKey: false, parts: null },
  listWebhooks: { method: 'GET', path: '/webhooks', permission: null, takesKey: false, parts: null },
  createWebhook: { method: 'POST', path: '/webhooks', permission: null, takesKey: false, parts: null },
  getWebhook: { method: 'GET', path: '/webhooks/:id', permission: null, takesKey: false, parts: null },
  updateWebhook: { method: 'PATCH', path: '/webhooks/:id', permission: null, takesKey: false, parts: null },
  deleteWebhook: { method: 'DELETE', path: '/webhooks/:id', permission: null, takesKey: false, parts: null },
  testWebhook: { method: 'POST', path: '/webhooks/:id/test', permission: null, takesKey: false, parts: null },
  rotateWebhookSecret: { method: 'POST', path: '/webhooks/:id/secret', permission: null, takesKey: false, parts: null },
} as const;

export type OperationId = keyof typeof operations;
