#!/usr/bin/env node
import '../dist/kernelc/main.js';
