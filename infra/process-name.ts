import type { Edge } from '@payroll/admission';
import type { ServiceName } from '@payroll/kernel';

export type ProcessName = ServiceName | Edge | 'sandbox-provider';
