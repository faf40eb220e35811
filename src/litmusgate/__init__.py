"""litmusgate: may this evidence be believed, and may this build ship?"""
