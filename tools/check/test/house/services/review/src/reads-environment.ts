export const url = process.env['DATABASE_URL'];
