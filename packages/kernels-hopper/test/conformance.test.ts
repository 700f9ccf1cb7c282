import { openDevice } from '@ffma/core';
import { kernels } from '@ffma/kernels-hopper';
import { describeConformance } from '@ffma/verify/vitest';
import { claimsOnEmulator, otherVariantsOnEmulator } from '../../../scripts/emulator/kernels-on-emulator.js';

describeConformance(kernels, { variants: 'default', device: () => openDevice('emulator') });
otherVariantsOnEmulator(kernels);
claimsOnEmulator(kernels);
