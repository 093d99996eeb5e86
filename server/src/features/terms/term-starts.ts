/** Returns SQL: a term begins when the last one closed, or with its class. @param condition $1 is the school */
export const termStarts = (condition: string) => `
    SELECT id AS "classId", coalesce(
      (SELECT max(m.closed_at) FROM term m WHERE m.school_id = $1 AND m.class_id = class.id), created_at
    ) AS "startedAt"
    FROM class WHERE ${condition}`;
