"""The book: every chapter executed, as pages that any static host serves: python -m accelerator_course.pages.book"""
