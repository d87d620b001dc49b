export { Client } from 'pg';
